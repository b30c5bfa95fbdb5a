/**
 * Returns the literal of a text array, as the value of a placeholder.
 *
 * A cluster plans a condition on such a value at the lowest cost. If the members are values of the
 * distribution column, the cluster runs the statement only on their nodes.
 */
export function arrayLiteral(members: readonly string[]): string {
  return `{${members.map((member) => `"${member.replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
}
