import { type SandboxKeys, publicKeyId } from "./keys.js";
import { certificatePem, serialNo } from "./shared/certificate.js";

/** What a merchant holds at WALLET_A. */
export interface WalletAMerchant {
  readonly mchid: string;
  readonly appid: string;
  readonly merchantPrivateKey: string;
  /** The number of the merchant's certificate, upper-case hexadecimal. */
  readonly merchantSerialNo: string;
  readonly apiV3Key: string;
  /** The wallet's certificate, PEM, and its number. */
  readonly walletCertificate: string;
  readonly walletSerialNo: string;
  /** The wallet's downloaded public key, PEM, and its number. */
  readonly walletPublicKey: string;
  readonly walletPublicKeyId: string;
}

/** What a merchant holds at WALLET_B. */
export interface WalletBMerchant {
  readonly appId: string;
  readonly sellerId: string;
  readonly appPrivateKey: string;
  readonly walletPublicKey: string;
  /** For the certificate mode, PEM: the app's, the wallet's, and the one both are signed by. */
  readonly appCertificate: string;
  readonly walletCertificate: string;
  readonly rootCertificate: string;
}

/** What a merchant holds at both wallets of a sandbox: enough to configure any client of them. It has private keys in it. */
export interface SandboxMerchant {
  readonly walletA: WalletAMerchant;
  readonly walletB: WalletBMerchant;
}

/** What the holders of the wallets' certificates are called. */
export const WALLET_A_NAME = "Tillkit Sandbox WALLET_A";
export const WALLET_B_NAME = "Tillkit Sandbox WALLET_B";
export const WALLET_B_ROOT_NAME = "Tillkit Sandbox WALLET_B root";

/** The one merchant of a sandbox. The same keys give the same merchant. */
export function merchantOf({ walletA, walletB }: SandboxKeys): SandboxMerchant {
  const selfIssuer = { commonName: WALLET_A_NAME, privateKey: walletA.wallet.privateKey };
  const root = { commonName: WALLET_B_ROOT_NAME, privateKey: walletB.wallet.privateKey };
  const issued = (commonName: string, publicKey: string) =>
    certificatePem({ commonName, publicKey, serial: serialNo(publicKey + commonName), issuer: root });
  return {
    walletA: {
      mchid: "1900000109",
      appid: "wxd678efh567hg6787",
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
