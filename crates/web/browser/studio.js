import { startServer, startTournament, within } from './programs.js';

/** @typedef {import('puppeteer-core').Page} Page */

/** Patience for anything on a busy machine; nothing waits this long when all is well. */
const PATIENCE = Number(process.env.PATIENCE ?? 60_000);
/** Patience for whatever a test leaves behind. */
const TIDY_MS = 20_000;

/** What one test works with; all that it opens and starts ends with it. */
export class Studio {
  /** @type {{ page: Page, faults: string[] }[]} */
  #pages = [];
  /** @type {{ stop: () => Promise<void> }[]} */
  #programs = [];
  #over = false;

  /**
   * @param {import('puppeteer-core').Browser} browser
   * @param {string} url the server's, without a slash at the end
   * @param {string} folder that the server watches for runs
   */
  constructor(browser, url, folder) {
    this.browser = browser;
    this.url = url;
    this.folder = folder;
  }

  /**
   * A fresh page, as a new visitor sees it.
   * @param {string} [fragment] of the address
   * @param {{ width?: number, height?: number, dark?: boolean, language?: string, tab?: string, url?: string }} [look]
   */
  async open(fragment = '', { width = 1280, height = 900, dark = false, language = 'en', tab = 'analysis', url = this.url } = {}) {
    const context = await this.browser.createBrowserContext();
    const page = await context.newPage();
    /** @type {string[]} */
    const faults = [];
    this.#pages.push({ page, faults });
    this.#mustNotBeOver();
    page.setDefaultTimeout(PATIENCE);
    page.setDefaultNavigationTimeout(PATIENCE);
    await page.setViewport({ width, height });
    await page.emulateMediaFeatures([
      { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ]);
    await page.evaluateOnNewDocument((locale) => {
      if (!location.protocol.startsWith('http')) return;
      if (!localStorage.getItem('discern.language')) localStorage.setItem('discern.language', locale);
    }, language);
    page.on('console', (message) => {
      // A busy server refuses a move for the moment, and the page asks again;
      // the browser notes every refusal.
      const isMove = message.location().url?.endsWith('/api/move');
      if (isMove && message.text().includes('status of 503')) return;
      if (['error', 'warn'].includes(message.type())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(`${url}/${fragment}`, { waitUntil: 'load' });
    await page.waitForSelector('#panel-analysis select');
    if (tab) await page.$eval(`#tab-${tab}`, (button) => /** @type {HTMLElement} */ (button).click());
    return page;
  }

  /**
   * A server of the test's own.
   * @param {...string} args
   */
  async serve(...args) {
    const server = await startServer(args);
    this.#programs.push(server);
    this.#mustNotBeOver();
    return server;
  }

  /**
   * A tournament that goes on until the test ends.
   * @param {string} output
   */
  runTournament(output) {
    this.#mustNotBeOver();
    this.#programs.push(startTournament(output));
  }

  /**
   * Ends whatever the test opened and started.
   * @returns {Promise<string[]>} what went wrong unnoticed: complaints on the consoles
   */
  async tidy() {
    this.#over = true;
    const [pages, programs] = [this.#pages, this.#programs];
    const ends = [...pages.map(({ page }) => page.browserContext().close()), ...programs.map((program) => program.stop())];
    await within(TIDY_MS, Promise.all(ends), 'the pages of the test do not close');
    return pages.flatMap(({ faults }) => faults);
  }

  /** A test that ran out of time opens nothing any more. */
  #mustNotBeOver() {
    if (this.#over) throw new Error('the test is over');
  }
}
