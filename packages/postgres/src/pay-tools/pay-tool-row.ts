import { PAY_CHANNELS, type PayTool, type WalletAccount } from "@tillkit/core";
import type { CredentialCipher } from "../credentials/credential-cipher.js";
import { enumValue, integer, parseStringRecord, text } from "../sql/row.js";
import type { SqlRow, SqlValue } from "../sql/sql-client.js";
import { optionsOf, optionsText } from "./wallet-options-row.js";

/** The columns of a pay tool without its credentials. */
export const PAY_TOOL_COLUMNS =
  "id, app_id, pay_channel, account_id, wallet_app_id, app_env, sign_status, app_name, app_package_name, app_signature, wallet_options, created_ms, modified_ms";

/** Returns the values of {@link PAY_TOOL_COLUMNS}, in their order. */
export function payToolValues(tool: PayTool): readonly SqlValue[] {
  return [
    tool.id,
    tool.appId,
    tool.payChannel,
    tool.accountId,
    tool.walletAppId,
    tool.appEnv,
    tool.signStatus,
    tool.appName,
    tool.appPackageName,
    tool.appSignature,
    optionsText(tool.walletOptions) ?? null,
    tool.gmtCreate,
    tool.gmtModified,
  ];
}

/** Reads the pay tool from a row with {@link PAY_TOOL_COLUMNS}. */
export function toPayTool(row: SqlRow): PayTool {
  const walletOptions = optionsOf(row);
  return {
    id: text(row, "id"),
    appId: text(row, "app_id"),
    accountId: text(row, "account_id"),
    walletAppId: text(row, "wallet_app_id"),
    payChannel: enumValue(row, "pay_channel", PAY_CHANNELS),
    signStatus: enumValue(row, "sign_status", ["OK", "NO"]),
    appEnv: enumValue(row, "app_env", ["DEV", "PROD"]),
    appName: text(row, "app_name"),
    appPackageName: text(row, "app_package_name"),
    appSignature: text(row, "app_signature"),
    ...(walletOptions === undefined ? {} : { walletOptions }),
    gmtCreate: integer(row, "created_ms"),
    gmtModified: integer(row, "modified_ms"),
  };
}

/** Reads the pay tool with its credentials, which the row must also contain. */
export function toAccount(row: SqlRow, cipher: CredentialCipher): WalletAccount {
  const tool = toPayTool(row);
  const credentials = parseStringRecord(cipher.open(text(row, "credentials"), sealContext(tool)));
  return { credentials, ...tool };
}

/**
 * Returns the owner that the encryption binds credentials to: the merchant account.
 *
 * Credentials that are copied to another merchant do not decrypt.
 */
export function sealContext({
  appId,
  payChannel,
  accountId,
  walletAppId,
  appEnv,
}: Pick<PayTool, "appId" | "payChannel" | "accountId" | "walletAppId" | "appEnv">): string {
  return JSON.stringify(["pay-tool", appId, payChannel, accountId, walletAppId, appEnv]);
}
