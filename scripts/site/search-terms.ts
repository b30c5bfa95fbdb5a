/**
 * Splits a text of a page into search terms.
 *
 * Chinese has no spaces, so a run of Chinese characters becomes the pairs of its neighbours, and
 * its last character.
 *
 * VitePress sends the source of this function to the browser, so it uses nothing outside itself.
 */
export function searchTerms(text: string): string[] {
  return (text.match(/\p{Script=Han}+|[^\p{Script=Han}\s\p{P}\p{S}]+/gu) ?? []).flatMap((run) =>
    /^\p{Script=Han}/u.test(run)
      ? Array.from(run, (one, index) => one + (Array.from(run)[index + 1] ?? ""))
      : [run],
  );
}

/**
 * Splits a query into search terms, as {@link searchTerms} splits a text.
 *
 * The last character of a Chinese run is a term only if it is alone. Otherwise it would find every
 * page with a word that begins with it.
 *
 * VitePress sends the source of this function to the browser, so it uses nothing outside itself.
 */
export function queryTerms(query: string): string[] {
  return (query.match(/\p{Script=Han}+|[^\p{Script=Han}\s\p{P}\p{S}]+/gu) ?? []).flatMap((run) => {
    const characters = Array.from(run);
    return /^\p{Script=Han}/u.test(run) && characters.length > 1
      ? characters.slice(1).map((one, index) => (characters[index] ?? "") + one)
      : [run];
  });
}
