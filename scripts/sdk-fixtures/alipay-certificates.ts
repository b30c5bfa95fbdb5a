import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AlipayCredentials, parseAlipayCredentials } from "@tillkit/alipay";
import { AlipaySdk } from "alipay-sdk";
import { APP_CERTIFICATE, APP_PRIVATE_KEY } from "../../packages/alipay/src/testing/certificates.js";
import type { Check } from "./check.js";

const WALLET = "alipayCertPublicKey_RSA2.crt";
const APP = "appCertPublicKey_2021001161683774.crt";
const ROOTS = "alipayRootCert.crt";

/**
 * Compares the certificate numbers of the SDK and of Tillkit for the SDK's fixtures.
 *
 * @param folder - the fixture folder of a checkout of `alipay-sdk`.
 */
export function checkAlipayCertificates(folder: string): readonly Check[] {
  const { config } = new AlipaySdk({
    appId: "2014",
    privateKey: readFileSync(join(folder, "app-private-key.pem"), "utf8"),
    alipayPublicCertPath: join(folder, WALLET),
    appCertPath: join(folder, APP),
    alipayRootCertPath: join(folder, ROOTS),
  });
  const wallet = credentialsWith(folder, WALLET);
  const app = credentialsWith(folder, APP);
  const check = (fixture: string, bySdk: string | undefined, byTillkit: string | undefined): Check => ({
    fixture,
    compared: "certificate number",
    bySdk: bySdk ?? "none",
    byTillkit: byTillkit ?? "none",
  });
  return [
    check(WALLET, config.alipayCertSn, wallet.alipayKeys[0]?.sn),
    check(APP, config.appCertSn, app.alipayKeys[0]?.sn),
    check(ROOTS, config.alipayRootCertSn, wallet.certificates?.rootCertSn),
  ];
}

/**
 * Returns credentials with a fixture as Alipay's certificate.
 *
 * The app's own key and certificate are ours.
 */
function credentialsWith(folder: string, walletCertificate: string): AlipayCredentials {
  const parsed = parseAlipayCredentials({
    appPrivateKey: APP_PRIVATE_KEY,
    appCertificate: APP_CERTIFICATE,
    alipayCertificate: readFileSync(join(folder, walletCertificate), "utf8"),
    alipayRootCertificate: readFileSync(join(folder, ROOTS), "utf8"),
  });
  if (parsed.isErr()) throw new Error(parsed.error.map(({ message }) => message).join(" "));
  return parsed.value;
}
