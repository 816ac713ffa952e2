// A row of tabs as the ARIA practices describe it.

/**
 * Makes tabs of the buttons in `list`; each names its panel in aria-controls.
 * @param {HTMLElement} list
 * @param {(name: string) => void} chosen told the tab's data-tab
 */
export function mountTabs(list, chosen) {
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role=tab]')]);

  /** @param {HTMLElement} tab */
  const choose = (tab) => {
    for (const each of tabs) {
      const selected = each === tab;
      each.setAttribute('aria-selected', String(selected));
      each.tabIndex = selected ? 0 : -1;
      const panel = document.getElementById(each.getAttribute('aria-controls') ?? '');
      if (panel) panel.hidden = !selected;
    }
    chosen(tab.dataset.tab ?? '');
  };

  list.addEventListener('click', (event) => {
    const tab = tabs.find((each) => each.contains(/** @type {Node} */ (event.target)));
    if (tab) choose(tab);
  });
  list.addEventListener('keydown', (event) => {
    const at = tabs.findIndex((each) => each === document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const tab = tabs[(to + tabs.length) % tabs.length];
    tab.focus();
    choose(tab);
  });
  return {
    /** @param {string} name */
    choose(name) {
      const tab = tabs.find((each) => each.dataset.tab === name);
      if (tab) choose(tab);
    },
  };
}
