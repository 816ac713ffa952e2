// The language of the page: the one place to choose another.

export { en as text } from './text/en.js';
