import { type SandboxKeys, publicKeyId } from "./keys.js";
import { certificatePem, serialNo } from "./shared/certificate.js";

/** The credentials of a merchant at WeChat Pay. */
export interface WalletAMerchant {
  readonly mchid: string;
  readonly appid: string;
  /** The AppSecret of `appid`, for reports of deliveries. */
  readonly appSecret: string;
  readonly merchantPrivateKey: string;
  /** The serial number of the merchant's certificate, upper-case hexadecimal. */
  readonly merchantSerialNo: string;
  readonly apiV3Key: string;
  /** The wallet's certificate as PEM. */
  readonly walletCertificate: string;
  readonly walletSerialNo: string;
  /** The wallet's downloaded public key as PEM. */
  readonly walletPublicKey: string;
  readonly walletPublicKeyId: string;
}

/** The credentials of a merchant at Alipay. */
export interface WalletBMerchant {
  readonly appId: string;
  readonly sellerId: string;
  readonly appPrivateKey: string;
  readonly walletPublicKey: string;
  /** The app's certificate for the certificate mode, as PEM. The root certificate signs it. */
  readonly appCertificate: string;
  readonly walletCertificate: string;
  readonly rootCertificate: string;
}

/**
 * The credentials of the sandbox's merchant at both wallets. They contain private keys.
 *
 * They are sufficient to configure any client of the wallets.
 */
export interface SandboxMerchant {
  readonly walletA: WalletAMerchant;
  readonly walletB: WalletBMerchant;
}

/** A merchant whose service provider is the sandbox's merchant. It has no keys of its own. */
export interface SubMerchant {
  readonly walletA: { readonly mchid: string; readonly appid: string; readonly appSecret: string };
  readonly walletB: { readonly sellerId: string; readonly appId: string; readonly appAuthToken: string };
}

/** The sub-merchants of the sandbox's merchant, the same in every sandbox. */
export const SUB_MERCHANTS: readonly SubMerchant[] = ["1", "2"].map((digit) => ({
  walletA: {
    mchid: `190000020${digit}`,
    appid: `wxd678efh567hg680${digit}`,
    appSecret: `5a8d1e0f4c7b2a9363f1d0e8b7c4a52${digit}`,
  },
  walletB: {
    sellerId: `208810211968020${digit}`,
    appId: `202100000000020${digit}`,
    appAuthToken: `202601BB3e0f9f2b7e5c4d1a8b6c5d4e3f2a1b0${digit}`,
  },
}));

/** The common names of the wallets' certificates. */
export const WALLET_A_NAME = "Tillkit Sandbox WALLET_A";
export const WALLET_B_NAME = "Tillkit Sandbox WALLET_B";
export const WALLET_B_ROOT_NAME = "Tillkit Sandbox WALLET_B root";

const merchants = new WeakMap<SandboxKeys, SandboxMerchant>();

/**
 * Derives the merchant of a sandbox from its keys. Equal keys give an equal merchant.
 *
 * Caches the result per `keys` object, because signing the certificates is slow and test suites
 * open many sandboxes.
 */
export function merchantOf(keys: SandboxKeys): SandboxMerchant {
  const merchant = merchants.get(keys) ?? newMerchant(keys);
  merchants.set(keys, merchant);
  return merchant;
}

function newMerchant({ walletA, walletB }: SandboxKeys): SandboxMerchant {
  const selfIssuer = { commonName: WALLET_A_NAME, privateKey: walletA.wallet.privateKey };
  const root = { commonName: WALLET_B_ROOT_NAME, privateKey: walletB.wallet.privateKey };
  const issued = (commonName: string, publicKey: string) =>
    certificatePem({ commonName, publicKey, serial: serialNo(publicKey + commonName), issuer: root });
  return {
    walletA: {
      mchid: "1900000109",
      appid: "wxd678efh567hg6787",
      appSecret: "9b1c7d3e5f2048a6b0d4e6f8a1c3e507",
      merchantPrivateKey: walletA.merchant.privateKey,
      merchantSerialNo: serialNo(walletA.merchant.publicKey),
      apiV3Key: walletA.apiV3Key,
      walletCertificate: certificatePem({
        commonName: selfIssuer.commonName,
        publicKey: walletA.wallet.publicKey,
        serial: serialNo(walletA.wallet.publicKey),
        issuer: selfIssuer,
      }),
      walletSerialNo: serialNo(walletA.wallet.publicKey),
      walletPublicKey: walletA.downloaded.publicKey,
      walletPublicKeyId: publicKeyId(walletA.downloaded.publicKey),
    },
    walletB: {
      appId: "2014072300007148",
      sellerId: "2088102119685838",
      appPrivateKey: walletB.app.privateKey,
      walletPublicKey: walletB.wallet.publicKey,
      appCertificate: issued("2014072300007148", walletB.app.publicKey),
      walletCertificate: issued(WALLET_B_NAME, walletB.wallet.publicKey),
      rootCertificate: issued(root.commonName, walletB.wallet.publicKey),
    },
  };
}
