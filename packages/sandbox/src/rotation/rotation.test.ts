import { createDecipheriv, X509Certificate } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { AlipaySdk } from "alipay-sdk";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import plugin from "wechatpay-axios-plugin";
import { z } from "zod";
import { openSandbox, type Sandbox, type SandboxOptions, sandboxClock } from "../index.js";
import { certificateSn } from "../shared/certificate.js";
import { callControl, postControl } from "../testing/call-control.js";
import { walletASender } from "../testing/wechat-pay-client.js";

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 0, 15, 4);

const rotated = z.object({ wallet: z.enum(["A", "B"]), certificate: z.string(), expiresAt: z.string() });
const listed = z.object({
  data: z.array(
    z.object({
      serial_no: z.string(),
      effective_time: z.string(),
      expire_time: z.string(),
      encrypt_certificate: z.object({
        algorithm: z.literal("AEAD_AES_256_GCM"),
        nonce: z.string(),
        associated_data: z.literal("certificate"),
        ciphertext: z.string(),
      }),
    }),
  ),
});

async function open(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await openSandbox({ keys, clock: sandboxClock(() => NOON), ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await open();
});

async function rotate(wallet: "A" | "B", more: object = {}) {
  const reply = await postControl(sandbox, "/rotate-keys", { wallet, ...more });
  expect(reply.status).toBe(200);
  return rotated.parse(JSON.parse(reply.body));
}

const advance = (advanceMs: number) => postControl(sandbox, "/clock", { advanceMs });

/**
 * Returns WeChat Pay's certificates, decrypted with Node's crypto, and the signer of the response.
 */
async function certificatesOfA() {
  const { addresses, merchant, clock } = sandbox;
  const send = walletASender(addresses.walletA, merchant.walletA, () => clock.now());
  const { text, headers } = await send({ method: "GET", target: "/v3/certificates" });
  const certificates = listed.parse(JSON.parse(text)).data.map((one) => {
    const { nonce, associated_data, ciphertext } = one.encrypt_certificate;
    const sealed = Buffer.from(ciphertext, "base64");
    const decipher = createDecipheriv("aes-256-gcm", merchant.walletA.apiV3Key, nonce);
    decipher.setAAD(Buffer.from(associated_data));
    decipher.setAuthTag(sealed.subarray(-16));
    const pem = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString();
    return { ...one, x509: new X509Certificate(pem) };
  });
  return { certificates, signedBy: headers.get("wechatpay-serial") };
}

describe("POST /rotate-keys", () => {
  it("rejects an unknown wallet", async () => {
    for (const body of [{}, { wallet: "C" }, { wallet: "A", validDays: 0 }, { wallet: "A", days: 1 }]) {
      const reply = await postControl(sandbox, "/rotate-keys", body);
      expect(reply.status).toBe(400);
      expect(reply.body).toContain("Correct the body");
    }
    const { body } = await postControl(sandbox, "/no-such-call", {});
    expect(body).toContain("POST /rotate-keys");
  });

  it("makes WALLET_A sign with the new certificate, and list both for five days", async () => {
    const before = await certificatesOfA();
    expect(before.certificates.map(({ serial_no }) => serial_no)).toEqual([before.signedBy]);
    const { certificate, expiresAt } = await rotate("A", { validDays: 100 });
    const after = await certificatesOfA();
    expect(after.signedBy).toBe(certificate);
    expect(after.certificates).toMatchObject([
      { serial_no: before.signedBy, expire_time: "2026-01-20T12:00:00+08:00" },
      {
        serial_no: certificate,
        effective_time: "2026-01-15T12:00:00+08:00",
        expire_time: expiresAt,
      },
    ]);
    for (const { serial_no, x509 } of after.certificates) expect(x509.serialNumber).toBe(serial_no);
    const [, next] = after.certificates;
    expect(Date.parse(next?.x509.validTo ?? "")).toBe(NOON + 100 * DAY);
    await advance(5 * DAY);
    expect((await certificatesOfA()).certificates.map(({ serial_no }) => serial_no)).toEqual([certificate]);
  });

  it("encrypts each certificate differently", async () => {
    await rotate("A");
    const all = [...(await certificatesOfA()).certificates, ...(await certificatesOfA()).certificates];
    expect(new Set(all.map(({ encrypt_certificate: { nonce } }) => nonce)).size).toBe(4);
  });

  it("returns the new key with the public keys", async () => {
    const { certificate } = await rotate("A");
    const { body } = await callControl(sandbox, "GET", "/keys");
    expect(body).toContain(certificate);
    expect(Object.keys(sandbox.keys.walletA.walletPublicKeys)).toContain(certificate);
  });

  it("lets a third party's client of WALLET_A decrypt the new certificate and verify with it", async () => {
    // This client sets the time of its requests itself, so the sandbox needs the machine's time.
    sandbox = await open({ clock: sandboxClock() });
    const { mchid, apiV3Key, merchantSerialNo, merchantPrivateKey } = sandbox.merchant.walletA;
    const { certificate } = await rotate("A");
    const listing = (await certificatesOfA()).certificates.find((one) => one.serial_no === certificate);
    const { nonce = "", associated_data = "", ciphertext = "" } = listing?.encrypt_certificate ?? {};
    const pem = plugin.Aes.AesGcm.decrypt(ciphertext, apiV3Key, nonce, associated_data);
    const client = new plugin.Wechatpay({
      mchid,
      serial: merchantSerialNo,
      privateKey: merchantPrivateKey,
      certs: { [certificate]: new X509Certificate(pem).publicKey },
      baseURL: sandbox.addresses.walletA,
    });
    expect(await client.chain("v3/certificates").get()).toMatchObject({ status: 200 });
  });
});

describe("WALLET_B's certificates", () => {
  // Alipay's SDK sets the time of its requests itself, and the wallet refuses requests of another
  // day.
  beforeEach(async () => {
    sandbox = await open({ clock: sandboxClock() });
  });

  const sdkWith = (alipayPublicCertContent: string) => {
    const { appId, appPrivateKey, appCertificate, rootCertificate } = sandbox.merchant.walletB;
    return new AlipaySdk({
      appId,
      privateKey: appPrivateKey,
      keyType: "PKCS8",
      appCertContent: appCertificate,
      alipayRootCertContent: rootCertificate,
      alipayPublicCertContent,
      gateway: sandbox.addresses.walletB,
      // The SDK's default of 5 s is too short for a busy machine.
      timeout: 60_000,
    });
  };
  const DOWNLOAD = "alipay.open.app.alipaycert.download";
  const QUERY = "alipay.trade.query";
  const bizContent = { out_trade_no: "01JCXW9Z3K7Q2N5T8V0B4D6F1H" };
  const downloaded = z.object({ code: z.literal("10000"), alipayCertContent: z.string() });

  it("can be downloaded by their number with their chain, with Alipay's own SDK", async () => {
    const { walletB } = sandbox.merchant;
    const { certificate } = await rotate("B");
    const old = sdkWith(walletB.walletCertificate);
    const ask = { bizContent: { alipay_cert_sn: certificate } };
    const content = downloaded.parse(await old.exec(DOWNLOAD, ask)).alipayCertContent;
    const pem = Buffer.from(content, "base64").toString();
    expect(certificateSn(pem)).toBe(certificate);
    const [leaf = "", root = ""] = pem.split(/(?<=-----END CERTIFICATE-----\n)/);
    expect(root).toBe(walletB.rootCertificate);
    expect(new X509Certificate(leaf).verify(new X509Certificate(root).publicKey)).toBe(true);
    // The wallet's signatures match the new certificate, and no longer the old one.
    const options = { validateSign: true };
    expect(await sdkWith(leaf).exec(QUERY, { bizContent }, options)).toMatchObject({ code: "40004" });
    await expect(old.exec(QUERY, { bizContent }, options)).rejects.toThrow();
  });

  it("can still be downloaded after a replacement, and not by an unknown number", async () => {
    const { walletCertificate } = sandbox.merchant.walletB;
    const sdk = sdkWith(walletCertificate);
    const old = certificateSn(walletCertificate);
    await rotate("B");
    const ask = (alipay_cert_sn: string) => sdk.exec(DOWNLOAD, { bizContent: { alipay_cert_sn } });
    expect(downloaded.parse(await ask(old)).code).toBe("10000");
    expect(await ask("0".repeat(32))).toMatchObject({ code: "40002", subCode: "isv.invalid-alipay-cert-sn" });
  });
});

it("the sandbox keeps a rotation after a restart", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-rotation-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const stateFile = join(folder, "state.jsonl");
  const first = await open({ stateFile });
  sandbox = first;
  const { certificate } = await rotate("A");
  await rotate("B");
  const before = (await certificatesOfA()).certificates.map(({ serial_no }) => serial_no);
  await first.close();
  sandbox = await open({ stateFile });
  const after = await certificatesOfA();
  expect(after.certificates.map(({ serial_no }) => serial_no)).toEqual(before);
  expect(after.signedBy).toBe(certificate);
  expect(sandbox.keys).toEqual(first.keys);
});
