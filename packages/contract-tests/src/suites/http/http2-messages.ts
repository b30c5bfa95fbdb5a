import { describe } from "vitest";
import { http2Client } from "../../support/http/http2-client.js";
import { serviceStarter } from "../../support/http/service.js";
import type { TestHost } from "../../support/http/test-host.js";
import type { Opened } from "../../support/open-before-each.js";
import type { OpenBinding } from "../../support/http/open-binding.js";
import { negotiationContract, type SendPlainly } from "./negotiation.js";

/**
 * Tests compressed replies and 304 of the real surfaces over HTTP/2.
 *
 * @param openBinding - Mounts the surfaces on a server that speaks HTTP/2 without TLS. It is called
 *   before each test.
 * @param openHost - Returns empty ports. It is called before each test.
 * @example
 * ```ts
 * import { http2MessagesContract, listenHttp2 } from "@tillkit/contract-tests";
 * import { memoryPorts } from "@tillkit/memory";
 * import { nodeListener } from "@tillkit/node";
 *
 * http2MessagesContract(
 *   "node:http2, in memory",
 *   ({ payments, metrics, notifications }) =>
 *     listenHttp2(nodeListener({ "/pay": payments, "/wallets": notifications, "/": metrics })),
 *   async () => ({ port: memoryPorts(), close: async () => {} }),
 * );
 * ```
 */
export function http2MessagesContract(
  name: string,
  openBinding: OpenBinding,
  openHost: () => Promise<Opened<TestHost>>,
): void {
  const start = serviceStarter(openBinding, openHost);
  describe(`Contract of messages over HTTP/2: ${name}`, () => negotiationContract(start, sendOverHttp2));
}

const sendOverHttp2: SendPlainly = async (baseUrl, request) => {
  const client = http2Client(baseUrl);
  try {
    return await client.call(request);
  } finally {
    client.close();
  }
};
