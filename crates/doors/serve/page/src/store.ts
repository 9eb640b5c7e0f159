/** The state of the page, and those who follow it. */

export class Store<S extends object> {
  private readonly followers: ((state: S, before: S) => void)[] = [];

  constructor(private state: S) {}

  get(): S {
    return this.state;
  }

  /** Changes some of it, and tells everyone. */
  set(change: Partial<S>): void {
    const before = this.state;
    this.state = { ...before, ...change };
    for (const follower of this.followers) follower(this.state, before);
  }

  /** Calls `follower` now and after every change. */
  follow(follower: (state: S, before: S) => void): void {
    this.followers.push(follower);
    follower(this.state, this.state);
  }
}
