import { randomUUID } from "node:crypto";
import * as z from "zod";

/** Where the browser is, and what it got. */
export interface Visit {
  readonly url: URL;
  readonly status: number;
  readonly text: string;
  readonly cookies: readonly string[];
}

const session = z.object({
  csrfToken: z.string().optional(),
  operator: z.unknown(),
  permissions: z.array(z.string()),
});

/** A browser without scripts: keeps cookies, follows redirects, fills in the provider's forms. */
export function testBrowser() {
  const jar = new Map<string, Map<string, string>>();
  const cookiesOf = (url: URL) => {
    const known = jar.get(url.host) ?? new Map<string, string>();
    jar.set(url.host, known);
    return known;
  };
  async function request(url: URL, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookiesOf(url)].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = new Headers(init.headers);
    headers.set("cookie", cookie);
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      const isDeleted = value === "" || /max-age=0|expires=Thu, 01 Jan 1970/i.test(set);
      if (isDeleted) cookiesOf(url).delete(name);
      else cookiesOf(url).set(name, value);
    }
    return response;
  }
  /** Follows redirects, up to the first address for which `stopsAt` returns true. */
  async function visit(
    address: string,
    stopsAt: (url: URL) => boolean = () => false,
    init?: RequestInit,
  ): Promise<Visit> {
    let url = new URL(address);
    let response = await request(url, init);
    for (let hops = 0; hops < 20 && response.status >= 300 && response.status < 400; hops += 1) {
      url = new URL(response.headers.get("location") ?? "", url);
      if (stopsAt(url)) break;
      response = await request(url);
    }
    return {
      url,
      status: response.status,
      text: await response.text(),
      cookies: response.headers.getSetCookie(),
    };
  }
  /** Submits the first form of a page of the provider. */
  async function submit(
    { url, text }: Visit,
    filled: Readonly<Record<string, string>>,
    stopsAt?: (url: URL) => boolean,
  ): Promise<Visit> {
    const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1] ?? "";
    const body = new URLSearchParams(filled);
    for (const [, field = ""] of text.matchAll(/<(?:input|button)([^>]*)>/g)) {
      const { name, value } = Object.fromEntries(
        [...field.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", one = ""]) => [key, one]),
      );
      if (name !== undefined && value !== undefined && !body.has(name)) body.set(name, value);
    }
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return visit(new URL(action, url).href, stopsAt, { method: "POST", headers, body: body.toString() });
  }
  /** Signs in at the provider, unless its session still knows the person. */
  async function signIn(start: string, name: string, stopsAt?: (url: URL) => boolean): Promise<Visit> {
    let at = await visit(start, stopsAt);
    for (
      let step = 0;
      step < 4 && /<form/.test(at.text) && at.url.pathname.includes("/interaction/");
      step += 1
    )
      at = await submit(at, { login: name, password: "any" }, stopsAt);
    return at;
  }
  async function api(page: string, path: string, body?: object) {
    const read = async () => session.parse(JSON.parse((await visit(`${page}/api/session`)).text));
    const csrfToken = body === undefined ? undefined : (await read()).csrfToken;
    const sent = {
      method: "POST",
      headers: {
        "x-csrf-token": csrfToken ?? "",
        "x-change-id": randomUUID(),
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    };
    const response = await request(new URL(`${page}${path}`), body === undefined ? {} : sent);
    return { status: response.status, json: z.record(z.string(), z.unknown()).parse(await response.json()) };
  }
  return { jar, visit, submit, signIn, api };
}
