import type { Digest, SmsSender } from "@tillkit/core";
import { errAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { ServiceReply } from "../../support/http/caller.js";
import { textAt } from "../../support/http/json.js";
import { aMobileNo, codeFor, loggedIn } from "../../support/http/logins.js";
import { throwingPort, type StartService } from "../../support/http/service.js";

const mobileNo = aMobileNo();

/** Tests when an SMS code is valid, and how long a phone number belongs to the same customer. */
export function codesContract(start: StartService): void {
  describe("an SMS code", () => {
    it("is valid as soon as the carrier receives it", async () => {
      // A customer may enter the code before the carrier has confirmed the message.
      let entered: ServiceReply | undefined;
      let enter = (_authCode: string): Promise<ServiceReply> => Promise.reject(new Error("not started"));
      const service = await start({
        ports: ({ smsSender, ...ports }) => {
          const typing: SmsSender = {
            send: (message) => {
              if (smsSender === undefined) throw new Error("The host has no carrier.");
              const sent = smsSender.send(message);
              return sent.map(async (value) => {
                entered = await enter(message.authCode);
                return value;
              });
            },
          };
          return { ...ports, smsSender: typing };
        },
      });
      enter = (authCode) => service.demo.post("/auth.json", { mobileNo, authCode });
      await codeFor(service, service.demo, mobileNo);
      expect(entered?.code).toBe(0);
    });

    it("is not valid if the carrier refused the message", async () => {
      let refused = "";
      const service = await start({
        ports: (ports) => ({
          ...ports,
          smsSender: {
            send: ({ authCode }) => {
              refused = authCode;
              return errAsync({ name: "sms.rejected", detail: "blocked" } as const);
            },
          },
        }),
      });
      expect((await service.demo.get("/sms.json", { mobileNo })).code).toBe(10023);
      expect(refused).toMatch(/^\d{6}$/);
      expect((await service.demo.post("/auth.json", { mobileNo, authCode: refused })).code).toBe(10020);
    });

    it("is not sent if it cannot be stored", async () => {
      const { demo, host } = await start({
        ports: (ports) => ({
          ...ports,
          codes: { ...ports.codes, add: (code, limits) => throwingPort(ports.codes).add(code, limits) },
        }),
      });
      expect((await demo.get("/sms.json", { mobileNo })).code).toBe(99998);
      expect(host.smsSender.messages).toEqual([]);
    });
  });

  describe("a customer", () => {
    it("keeps the same id after two rotations of the pepper, also without a login in between", async () => {
      let peppers: readonly [string, ...string[]] = ["v1"];
      const service = await start({
        ports: (ports) => ({ ...ports, digest: peppered(ports.digest, () => peppers) }),
      });
      const { demo } = service;
      const [early, regular] = [aMobileNo(1), aMobileNo(2)];
      const first = await loggedIn(service, demo, early);
      const second = await loggedIn(service, demo, regular);
      peppers = ["v2", "v1"];
      expect((await loggedIn(service, demo, regular)).customerId).toBe(second.customerId);
      peppers = ["v3", "v2", "v1"];
      expect((await loggedIn(service, demo, early)).customerId).toBe(first.customerId);
      peppers = ["v3", "v2"];
      expect((await loggedIn(service, demo, regular)).customerId).toBe(second.customerId);
      const again = await loggedIn(service, demo, early);
      expect(again.customerId).toBe(first.customerId);
      const live = await demo.get("/checkAuth.json", { token: textAt(first, "token") });
      expect(live.data).toBe(true);
    });
  });
}

/** Creates a digest with several peppers, the current one first. */
function peppered(digest: Digest, peppers: () => readonly [string, ...string[]]): Digest {
  return {
    ...digest,
    keyed: (text) => {
      const [current, ...older] = peppers();
      const under = (pepper: string) => `${pepper}:${digest.sha256(`${pepper}\n${text}`)}`;
      return [under(current), ...older.map(under)];
    },
  };
}
