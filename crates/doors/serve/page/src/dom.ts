/** Elements of the page, made in one expression. */

export type Child = Node | string | number | null | undefined | false | readonly Child[];

type Listeners = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

export interface Props {
  /** Listeners by event. */
  on?: Listeners;
  /** Custom properties for the style sheet: `{ '--share': '40%' }`. */
  vars?: Record<string, string>;
  /** Attributes; true is an empty one, false and undefined are none. */
  [attribute: string]: string | number | boolean | undefined | Listeners | Record<string, string>;
}

const SVG = 'http://www.w3.org/2000/svg';

/** An HTML element with attributes, listeners and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const { on = {}, vars = {}, ...attributes } = props;
  setAttributes(element, attributes);
  for (const [event, listener] of Object.entries(on))
    element.addEventListener(event, listener as EventListener);
  for (const [name, value] of Object.entries(vars)) element.style.setProperty(name, value);
  append(element, children);
  return element;
}

/** An SVG element with attributes and children. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/**
 * Replaces what `parent` contains. An element of the same `data-key` keeps the focus; if there is none, whoever uses
 * the keyboard goes on at the first element of its kind, `play-` say.
 */
export function fill(parent: Element, ...children: Child[]): void {
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.getAttribute('data-key');
  const isByKeyboard = focused?.matches(':focus-visible') ?? false;
  const fragment = document.createDocumentFragment();
  append(fragment, children);
  parent.replaceChildren(fragment);
  if (!key) return;
  const kind = key.slice(0, key.indexOf('-') + 1);
  const same = parent.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  const alike = isByKeyboard && kind ? parent.querySelector<HTMLElement>(`[data-key^="${kind}"]`) : null;
  (same ?? alike)?.focus({ preventScroll: true });
}

function setAttributes(element: Element, attributes: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
}

function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child as readonly Child[]);
    else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}
