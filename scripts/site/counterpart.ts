const CHINESE = "zh/";

/**
 * Returns the address of a page in the other language, or `undefined` if there is no such page.
 *
 * @param page - the page's file in the site, such as `zh/guide/payments.md`.
 * @param pages - the files of all pages.
 */
export function counterpartOf(page: string, pages: readonly string[]): string | undefined {
  const other = page.startsWith(CHINESE) ? page.slice(CHINESE.length) : CHINESE + page;
  if (!pages.includes(other)) return undefined;
  return `/${other.replace(/(^|\/)index\.md$/u, "$1").replace(/\.md$/u, ".html")}`;
}
