/** JSON text of a value of type `T`. The type ties an answer to its response schema. */
export interface TypedJson<T> {
  readonly text: string;
  /** Never set. It only carries `T` for the type checker. */
  readonly value?: T;
}

/** Writes `value` as JSON. */
export function typedJson<T>(value: T): TypedJson<T> {
  return { text: JSON.stringify(value) };
}
