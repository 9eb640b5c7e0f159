/** One answer at a time: a newer question ends the older one. */

/** Where a question is. While it is under way, the last answer stays. */
export interface Loaded<T> {
  answer: T | null;
  error: string | null;
  loading: boolean;
}

export class Loader<T> {
  private key: string | null = null;
  private running: AbortController | null = null;
  private loaded: Loaded<T> = { answer: null, error: null, loading: false };

  constructor(private readonly show: (loaded: Loaded<T>) => void) {}

  /** Asks `question` unless its `key` is that of the last one. */
  load(key: string, question: (signal: AbortSignal) => Promise<T>): void {
    if (key === this.key) return;
    this.key = key;
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.become({ ...this.loaded, loading: true });
    question(running.signal).then(
      (answer) => running.signal.aborted || this.become({ answer, error: null, loading: false }),
      (error: unknown) => {
        if (running.signal.aborted) return;
        this.key = null;
        this.become({
          answer: null,
          error: error instanceof Error ? error.message : String(error),
          loading: false,
        });
      },
    );
  }

  /** Forgets the last question, so that it may be asked again. */
  forget(): void {
    this.key = null;
    this.running?.abort();
  }

  private become(loaded: Loaded<T>): void {
    this.loaded = loaded;
    this.show(loaded);
  }
}
