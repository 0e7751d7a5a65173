/** Of numbers and dates: that of the browser. Tests of texts run outside of one. */
export const locale = typeof document === 'undefined' ? 'en-GB' : navigator.language;
