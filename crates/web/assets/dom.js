// Making elements without a template language.

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */
/** @typedef {Record<string, unknown>} Properties */

/**
 * An HTML element. `onclick` and the like are listeners, `class` and every
 * other name an attribute (`true` is an empty one, `false` and `null` none).
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [properties]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), properties, children);
}

/**
 * @template {Element} T
 * @param {T} element
 * @param {Properties} properties
 * @param {Child[]} children
 */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(...nodes(children));
  return element;
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function nodes(children) {
  return children.flatMap((child) => {
    if (Array.isArray(child)) return nodes(child);
    if (child === null || child === undefined || child === false) return [];
    return [child instanceof Node ? child : String(child)];
  });
}

/**
 * The elements of some HTML from our own server.
 * @param {string} html
 */
export const parsed = (html) => [...new DOMParser().parseFromString(html, 'text/html').body.childNodes];

/**
 * Puts children in the place of all former ones.
 * @param {Element} parent
 * @param {...Child} children
 */
export const replace = (parent, ...children) => parent.replaceChildren(...nodes(children));

/**
 * An element of the page that is known to be there.
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page lacks #${id}`);
  return element;
}

/**
 * Sets a custom property; inline styles in markup would need a laxer policy.
 * @template {HTMLElement | SVGElement} T
 * @param {T} element
 * @param {Record<string, string | number>} properties
 */
export function vary(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    element.style.setProperty(`--${name}`, String(value));
  }
  return element;
}
