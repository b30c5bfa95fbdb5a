/** Returns headers that an adapter adds to a call of a wallet. */
export type RequestHeaders = () => Readonly<Record<string, string>>;
