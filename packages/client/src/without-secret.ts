import type { Answer } from "./answer.js";

/** Replaces the secret of the app. */
const HIDDEN = "[APP_SECRET]";

/** Returns a text without the secret of the app. */
export function withoutSecret(text: string, appSecret: string): string {
  return text.replaceAll(appSecret, HIDDEN);
}

/**
 * Returns an answer whose failure does not contain the secret of the app.
 *
 * A faulty proxy may repeat the headers of a request in its reply. Returns `undefined` if the name
 * of the failure contains the secret: the service did not write such an answer.
 */
export function answerWithoutSecret<T>(answer: Answer<T>, appSecret: string): Answer<T> | undefined {
  if (answer.ok) return answer;
  const { msg, downloads } = answer;
  if (downloads?.errorCode.includes(appSecret) === true) return undefined;
  const hidden = (text: string) => withoutSecret(text, appSecret);
  return {
    ...answer,
    msg: hidden(msg),
    ...(downloads && {
      downloads: {
        ...downloads,
        responseBody: hidden(downloads.responseBody),
        ...(downloads.resetAt !== undefined && { resetAt: hidden(downloads.resetAt) }),
      },
    }),
  };
}
