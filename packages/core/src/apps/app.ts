/**
 * Checks for values that a `customerIdentity` must not be. Each can be disabled for an app.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/personal-data.md |
 *   Orders are checked for personal data, and customers can be erased}
 */
export interface IdentityChecks {
  readonly email: boolean;
  readonly phone: boolean;
  /**
   * The number of a payment card. Disable this check for an app whose user ids are long numbers.
   *
   * One in ten numbers with the prefix and length of a card also has a valid check digit.
   */
  readonly card: boolean;
  /** The number of a Chinese identity card, with its check character. */
  readonly identityCard: boolean;
  /**
   * The customer's account at a wallet: a user id of Alipay, or an `openid` of WeChat.
   *
   * Disable this check for an app whose user ids have 28 letters and digits, such as those of
   * Firebase: one in 62 such ids begins with `o` and looks like an `openid`.
   */
  readonly walletAccount: boolean;
  /** The `bizNo` of the order, which differs between the orders of a customer. */
  readonly bizNo: boolean;
}

/** Changes of an app's rules. Absent members stay as they are. */
export interface AppRules {
  /** Whether customers have accounts. */
  readonly accountBased?: boolean;
  readonly identityChecks?: Partial<IdentityChecks>;
}

/** A secret of an app. At most two secrets are live at once. */
export interface AppSecret {
  /** SHA-256 of the secret. The secret itself is shown once, when it is created. */
  readonly hash: string;
  readonly gmtCreate: number;
  /** When the secret stops working, epoch milliseconds. Absent on the current secret. */
  readonly expiresAt?: number;
}

/** An application that calls Tillkit with its own credentials. */
export interface App {
  /** Id of the app in Tillkit, sent in the `APP_ID` header. It differs from the wallet's app id. */
  readonly appId: string;
  readonly name: string;
  /** Whether customers have accounts. If true, every order needs a `customerIdentity`. */
  readonly accountBased: boolean;
  readonly identityChecks: IdentityChecks;
  readonly disabled: boolean;
  /** Newest first. */
  readonly secrets: readonly AppSecret[];
  readonly gmtCreate: number;
  readonly gmtModified: number;
}
