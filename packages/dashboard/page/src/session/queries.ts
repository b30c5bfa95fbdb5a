import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schema, sendCsrfToken, valueOf } from "../api/client.js";

/** What the page knows about the session. */
export type Session = Schema<"Session">;
/** A right of the operator. */
export type Permission = Session["permissions"][number];

/** The session. It is asked for once, and replaced after each step of signing in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  staleTime: Infinity,
  queryFn: async () => remembered(await valueOf(api.GET("/api/session"))),
});

/** Keeps the token for changes before anything is rendered with the session. */
function remembered(session: Session): Session {
  sendCsrfToken(session.csrfToken);
  return session;
}

/** Returns a step whose answer is the new session. */
export function useSessionStep<Input>(step: (input: Input) => Promise<Session>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: step,
    onSuccess: (session) => {
      client.setQueryData(sessionQuery.queryKey, remembered(session));
    },
  });
}

/** Ends the session, and forgets everything that the page has loaded with it. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => valueOf(api.DELETE("/api/session")),
    onSuccess: (session) => {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
      client.setQueryData(sessionQuery.queryKey, remembered(session));
    },
  });
}
