import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { readKey } from "./use-read.js";

/** The key of the session in the query cache. */
export const SESSION_KEY = readKey("/api/session", {});

/** Returns a function that loads again what the views show, except for the session. */
export function useReload(): () => void {
  const client = useQueryClient();
  return useCallback(() => {
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  }, [client]);
}

/** Returns a function that loads the session again, because it has ended. */
export function useSessionEnd(): () => void {
  const client = useQueryClient();
  return useCallback(() => void client.invalidateQueries({ queryKey: SESSION_KEY }), [client]);
}
