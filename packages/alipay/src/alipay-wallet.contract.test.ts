import { walletContract } from "@tillkit/contract-tests";
import {
  ALIPAY_CERTIFICATE,
  ALIPAY_PRIVATE_KEY,
  APP_CERTIFICATE,
  APP_PRIVATE_KEY,
  ROOTS,
  SNS,
} from "./testing/certificates.js";
import { testPairs } from "./testing/keys.js";
import { openAlipayHarness } from "./testing/alipay-harness.js";

const [app, wallet, stranger] = testPairs;

walletContract("alipay, with keys", () =>
  openAlipayHarness({
    app,
    wallet,
    stranger,
    credentials: { appPrivateKey: app.pkcs8, alipayPublicKey: wallet.spki },
  }),
);

walletContract("alipay, with certificates", () =>
  openAlipayHarness({
    app: { publicPem: APP_CERTIFICATE },
    wallet: { privatePem: ALIPAY_PRIVATE_KEY },
    stranger,
    credentials: {
      appPrivateKey: APP_PRIVATE_KEY,
      appCertificate: APP_CERTIFICATE,
      alipayCertificate: ALIPAY_CERTIFICATE,
      alipayRootCertificate: ROOTS,
    },
    certificates: { app: SNS.app, root: SNS.root, wallet: SNS.alipay },
  }),
);
