import { once } from "node:events";
import { createServer } from "node:http";
import { randomBytes } from "node:crypto";
import { Provider } from "oidc-provider";

/** The client of the operators' page at the local provider. */
export const LOCAL_CLIENT = { id: "operators-page", secret: randomBytes(32).toString("hex") } as const;

/** A person at the local provider. */
export interface Person {
  readonly groups: readonly string[];
}

/** An OpenID provider on this machine, which accepts every password. */
export interface LocalProvider {
  readonly issuer: string;
  close(): Promise<void>;
}

/**
 * Starts an OpenID provider for tests and first steps.
 *
 * @param people - by subject, read at every request.
 * @param origin - where the host of the operators' page is.
 */
export async function startLocalProvider(
  people: ReadonlyMap<string, Person>,
  origin: string,
  { mountPath, signOnPath }: { readonly mountPath: string; readonly signOnPath: string },
): Promise<LocalProvider> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The provider has no port.");
  const issuer = `http://127.0.0.1:${String(address.port)}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: LOCAL_CLIENT.id,
        client_secret: LOCAL_CLIENT.secret,
        redirect_uris: [`${origin}${signOnPath}/callback`],
        post_logout_redirect_uris: [`${origin}${mountPath}`],
      },
    ],
    claims: { openid: ["sub"], groups: ["groups"] },
    cookies: { keys: [randomBytes(32).toString("hex")] },
    findAccount: (_context, subject) => {
      const person = people.get(subject);
      return person && { accountId: subject, claims: () => ({ sub: subject, groups: [...person.groups] }) };
    },
    pkce: { required: () => true },
  });
  const answer = provider.callback();
  server.on("request", (request, response) => void answer(request, response));
  return {
    issuer,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
