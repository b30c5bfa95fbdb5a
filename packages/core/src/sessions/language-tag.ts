/** Letters and digits in up to four parts: `zh`, `en-GB`, `zh-Hant-TW`. */
const TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,3}$/i;

/** Returns `text` if it is a language tag as BCP 47 writes it, else `undefined`. */
export function languageTag(text: string | undefined): string | undefined {
  return text !== undefined && TAG.test(text) ? text : undefined;
}
