import type { Prepared } from "./prepare.js";

/** A caller of the payments endpoints. Resolves with the parsed JSON. */
export interface Caller {
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
}

/** Creates a caller with the credentials of the prepared app. */
export function callerOf(api: string, { appId, appSecret }: Pick<Prepared, "appId" | "appSecret">): Caller {
  const headers = { APP_ID: appId, APP_SECRET: appSecret, "content-type": "application/json" };
  const json = async (path: string, init: RequestInit): Promise<unknown> =>
    (await fetch(`${api}/pay${path}`, { ...init, headers })).json();
  return {
    get: (path) => json(path, {}),
    post: (path, body) => json(path, { method: "POST", body: JSON.stringify(body) }),
  };
}
