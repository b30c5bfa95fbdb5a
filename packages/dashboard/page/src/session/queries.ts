import { useQueryClient } from "@tanstack/react-query";
import { useContext } from "react";
import { SESSION_KEY } from "../api/use-reload.js";
import { useStep } from "../api/use-step.js";
import { ForgetViewsContext, type Session } from "./session-context.js";

/** Returns a function that replaces the session after a step of signing in. */
export function useNewSession(): (session: Session) => void {
  const client = useQueryClient();
  return (session) => {
    client.setQueryData(SESSION_KEY, session);
  };
}

/** Ends the session, and forgets everything that the page has loaded with it. */
export function useSignOut() {
  const client = useQueryClient();
  const step = useStep("delete", "/api/session", {});
  const forgetViews = useContext(ForgetViewsContext);
  const signOut = () => {
    step.mutate(undefined, {
      onSuccess: (session) => {
        forgetViews();
        client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
        client.setQueryData(SESSION_KEY, session);
      },
    });
  };
  return { ...step, mutate: signOut };
}
