/**
 * Splits a text of a page into search terms.
 *
 * Chinese has no spaces, so a run of Chinese characters becomes its pairs of neighbouring
 * characters, and its last character.
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
 * Leaves out the words of a question, unless it has no other. The last character of a Chinese run
 * is a term only if it is alone. Otherwise it would find every page with a word that begins with
 * it.
 *
 * VitePress sends the source of this function to the browser, so it uses nothing outside itself.
 */
export function queryTerms(query: string): string[] {
  const split = (text: string) =>
    (text.match(/\p{Script=Han}+|[^\p{Script=Han}\s\p{P}\p{S}]+/gu) ?? []).flatMap((run) => {
      const characters = Array.from(run);
      return /^\p{Script=Han}/u.test(run) && characters.length > 1
        ? characters.slice(1).map((one, index) => (characters[index] ?? "") + one)
        : [run];
    });
  const inEnglish =
    /\b(?:an?|and|are|at|be|by|can|do|does|for|from|how|i|if|in|is|it|my|of|on|or|that|the|this|to|what|when|where|which|why|with)\b/giu;
  const inChinese = /怎么办|怎么|怎样|如何|为什么|什么|哪里|哪些|是否|可以|[了的在吗呢]/gu;
  const terms = split(query.replace(inEnglish, " ").replace(inChinese, " "));
  return terms.length > 0 ? terms : split(query);
}

/** How MiniSearch searches. VitePress sends the source of each function to the browser. */
export const SEARCH_OPTIONS = {
  tokenize: queryTerms,
  /** How many letters may differ, as a part of the term. Numbers and Chinese words are exact. */
  fuzzy: (term: string): number | false => (/\d|\p{Script=Han}/u.test(term) ? false : 0.2),
  /** Whether the term may be the beginning of a longer word. A number is whole. */
  prefix: (term: string): boolean => !/^\d+$/u.test(term),
  /** The weight of a part of a page: guides come first, then packages, and decisions last. */
  boostDocument: (id: string): number => {
    if (id.includes("/decisions/")) return 0.5;
    if (id.includes("/packages/")) return 1.25;
    return id.includes("/guide/") ? 1.5 : 1;
  },
  boost: { title: 4, text: 2, titles: 1 },
};
