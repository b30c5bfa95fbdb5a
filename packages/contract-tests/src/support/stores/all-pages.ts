import { expect } from "vitest";

/** Reads page after page until a page is empty. Asserts that no page exceeds `limit`. */
export async function allPages<T>(
  limit: number,
  next: (after: T | undefined) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const seen: T[] = [];
  for (;;) {
    const page = await next(seen.at(-1));
    expect(page.length).toBeLessThanOrEqual(limit);
    if (page.length === 0) return seen;
    seen.push(...page);
  }
}
