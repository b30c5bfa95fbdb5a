/** The value of `sourceFrom` for every other store. It is always accepted. */
export const OTHER_STORES = "others";

/** Returns the accepted values of `sourceFrom`: the tokens of the policy, and `others`. */
export function sourcesFrom({
  sourceFromTokens,
}: {
  readonly sourceFromTokens: readonly string[];
}): readonly string[] {
  return [...sourceFromTokens, OTHER_STORES];
}
