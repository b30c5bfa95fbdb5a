/** Returns `{ [name]: value }`, or `{}` if `value` is `undefined`. */
export function optionalMember<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  const member: Partial<Record<K, V>> = {};
  if (value !== undefined) member[name] = value;
  return member;
}
