import { PAY_CHANNELS, type PayTool, type WalletAccount } from "@tillkit/core";
import type { CredentialCipher } from "./credential-cipher.js";
import { integer, oneOf, text } from "./row.js";
import type { SqlRow, SqlValue } from "./sql-client.js";
import { textMap } from "./text-map.js";

/** The columns of a pay tool without its credentials. */
export const PAY_TOOL_COLUMNS =
  "id, app_id, pay_channel, account_id, wallet_app_id, app_env, sign_status, app_name, app_package_name, app_signature, created_ms, modified_ms";

/** The values of `PAY_TOOL_COLUMNS`, in their order. */
export function payToolValues(tool: PayTool): readonly SqlValue[] {
  return [
    ...[tool.id, tool.appId, tool.payChannel, tool.accountId, tool.walletAppId, tool.appEnv, tool.signStatus],
    ...[tool.appName, tool.appPackageName, tool.appSignature, tool.gmtCreate, tool.gmtModified],
  ];
}

/** The pay tool in a row that has `PAY_TOOL_COLUMNS`. */
export function toPayTool(row: SqlRow): PayTool {
  return {
    id: text(row, "id"),
    appId: text(row, "app_id"),
    accountId: text(row, "account_id"),
    walletAppId: text(row, "wallet_app_id"),
    payChannel: oneOf(row, "pay_channel", PAY_CHANNELS),
    signStatus: oneOf(row, "sign_status", ["OK", "NO"]),
    appEnv: oneOf(row, "app_env", ["DEV", "PROD"]),
    appName: text(row, "app_name"),
    appPackageName: text(row, "app_package_name"),
    appSignature: text(row, "app_signature"),
    gmtCreate: integer(row, "created_ms"),
    gmtModified: integer(row, "modified_ms"),
  };
}

/** The pay tool with its credentials, in a row that has these too. */
export function toAccount(row: SqlRow, cipher: CredentialCipher): WalletAccount {
  const tool = toPayTool(row);
  return { ...tool, credentials: textMap(cipher.open(text(row, "credentials"), ownerOf(tool))) };
}

/** What credentials are sealed for: the merchant they open. Copied to another one's row they do not open. */
export function ownerOf({
  appId,
  payChannel,
  accountId,
  walletAppId,
  appEnv,
}: Pick<PayTool, "appId" | "payChannel" | "accountId" | "walletAppId" | "appEnv">): string {
  return JSON.stringify(["pay-tool", appId, payChannel, accountId, walletAppId, appEnv]);
}
