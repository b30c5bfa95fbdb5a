const CHUNKED = "Next.js sends replies in chunks, without content-length, and adds the header vary";
const COMPRESSED = "Next.js changes a reply with content-encoding; the cause has not been examined";
const QUERY = "Next.js encodes the query again; the values stay the same, except for __proto__";
const PATH = "Next.js redirects doubled slashes, and answers malformed escapes and TRACE itself";

/**
 * The tests of the binding contract that no route handler of Next.js can pass, and why.
 *
 * Tillkit's routes and clients do not need what these tests require. On Next.js, every test in this
 * list must fail, and every other test must pass.
 */
export const NEXT_DIFFERENCES: Readonly<Record<string, string>> = {
  "adds no header of a framework": CHUNKED,
  "answers 100 pipelined requests of one connection in order, each with its own reply": CHUNKED,
  "declares the length of bytes, also for HEAD": CHUNKED,
  "delivers the reply to a client that sends 5 MB with connection: close before it reads": CHUNKED,
  "reads no request from the discarded part of a body, with or without a declared length": CHUNKED,
  "leaves a method that the surface does not own to the host": PATH,
  "passes the path /echo//b as the client sent it": PATH,
  "passes the path /echo/%zz% as the client sent it": PATH,
  "passes the query string &c&=&d=%zz as the client sent it": QUERY,
  "passes the query string __proto__=1 as the client sent it": QUERY,
  "passes the query string a=1&a=2&b=%20+%2B as the client sent it": QUERY,
  "passes the query string a[b]=1&a[]=2 as the client sent it": QUERY,
  "passes the query string x=/pay/echo?y=1 as the client sent it": QUERY,
  "sends UTF-8 and counts the length in bytes": CHUNKED,
  "sends an empty body": CHUNKED,
  "sends compressed bytes unchanged": COMPRESSED,
  "sends status 200, the headers and the body unchanged": CHUNKED,
  "sends status 201, the headers and the body unchanged": CHUNKED,
  "sends status 400, the headers and the body unchanged": CHUNKED,
  "sends status 404, the headers and the body unchanged": CHUNKED,
  "sends status 429, the headers and the body unchanged": CHUNKED,
  "sends status 500, the headers and the body unchanged": CHUNKED,
  "sends status 502, the headers and the body unchanged": CHUNKED,
  "sends the headers of a HEAD reply without the body": CHUNKED,
};
