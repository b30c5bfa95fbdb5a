/** The checks that keep personal data out of `customerIdentity`, each of which can be switched off for one app. */
export interface IdentityChecks {
  readonly email: boolean;
  readonly phone: boolean;
  /** Off for an app whose user ids are long numbers: one in ten 16-digit numbers looks like a card. */
  readonly card: boolean;
}

/** One of the at most two secrets of an app that are live at once. */
export interface AppSecret {
  /** SHA-256 of the secret. The secret itself is shown once, when it is made. */
  readonly hash: string;
  readonly gmtCreate: number;
  /** When it stops working, epoch milliseconds; absent on the current secret. */
  readonly expiresAt?: number;
}

/** A caller: one application of an embedding team. */
export interface App {
  /** The service-side application id, header `APP_ID`. It is not the wallet-side id. */
  readonly appId: string;
  readonly name: string;
  /** Whether its customers have accounts: then every order names a `customerIdentity`. */
  readonly accountBased: boolean;
  readonly identityChecks: IdentityChecks;
  readonly disabled: boolean;
  /** Newest first. */
  readonly secrets: readonly AppSecret[];
  readonly gmtCreate: number;
  readonly gmtModified: number;
}
