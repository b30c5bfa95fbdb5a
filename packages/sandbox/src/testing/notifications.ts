import { createSign } from "node:crypto";
import { testWalletKeys } from "@tillkit/test-keys";
import plugin from "wechatpay-axios-plugin";
import type { Delivery } from "../notification-dispatcher.js";
import type { SandboxKeys } from "../keys.js";
import { seal } from "../wechat-pay/sign.js";
import { signedHeaders, type Signing } from "../wechat-pay/signed-headers.js";
import { formText, notificationText, type SignedParameters, readForm } from "../alipay/sign.js";
import { members, envelope } from "./json.js";

type SealedResource = ReturnType<typeof envelope>["resource"];

/** How to change a genuine WeChat Pay notification. */
export interface ForgedNotificationChanges {
  /** Members that replace the genuine ones. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Changes the encrypted resource before the body is signed. */
  readonly resource?: (resource: SealedResource) => Partial<SealedResource>;
  /** The encryption key. Defaults to that of the merchant. */
  readonly apiV3Key?: string;
  readonly signing?: Signing;
  /** The signing keys. Default to those of the sandbox. */
  readonly keys?: SandboxKeys;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Creates a changed WeChat Pay notification, by default with valid encryption and signature. */
export async function forgeWalletANotification(
  genuine: Delivery,
  remaking: ForgedNotificationChanges,
): Promise<Delivery> {
  const { keys = testWalletKeys } = remaking;
  const { apiV3Key } = keys.walletA;
  const { resource } = envelope(genuine.body);
  const facts = { ...decryptWalletA(genuine), ...remaking.facts };
  const { nonce, associated_data: aad } = resource;
  const ciphertext = seal(remaking.apiV3Key ?? apiV3Key, nonce, aad, JSON.stringify(facts));
  const sealed = { ...resource, ciphertext };
  const changed = { ...members(genuine.body), resource: { ...sealed, ...remaking.resource?.(sealed) } };
  const body = JSON.stringify(changed);
  const { signing = "certificate", at: now } = remaking;
  const signed = await signedHeaders(body, { keys, signing, now });
  return { ...genuine, headers: { ...genuine.headers, ...signed }, body };
}

/** Creates a changed Alipay notification, by default with a valid signature. */
export function forgeWalletBNotification(
  genuine: Delivery,
  changes: SignedParameters,
  { key = testWalletKeys.walletB.wallet.privateKey, digest = "RSA-SHA256" } = {},
): Delivery {
  const parameters = { ...formOf(genuine), ...changes };
  const sign = createSign(digest).update(notificationText(parameters)).sign(key, "base64");
  return { ...genuine, body: formText({ ...parameters, sign }) };
}

/** Decrypts a WeChat Pay notification with a third-party library and returns its contents. */
export function decryptWalletA({ body }: Delivery): Readonly<Record<string, unknown>> {
  const { apiV3Key } = testWalletKeys.walletA;
  const { ciphertext, nonce, associated_data: aad } = envelope(body).resource;
  return members(plugin.Aes.AesGcm.decrypt(ciphertext, apiV3Key, nonce, aad));
}

/** Returns the parameters of an Alipay notification. */
export function formOf({ body }: Delivery): SignedParameters {
  const parameters = readForm(Buffer.from(body));
  if (parameters === undefined) throw new Error("The notification is not a form.");
  return parameters;
}

/** Flips one bit of the byte at `at` in a base64 text. A negative `at` counts from the end. */
export function withOtherByte(base64: string, at: number): string {
  const bytes = Buffer.from(base64, "base64");
  const index = at < 0 ? bytes.length + at : at;
  bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index);
  return bytes.toString("base64");
}
