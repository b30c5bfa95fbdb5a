import { createContext, useContext } from "react";
import type { Schema } from "../api/routes.js";

/** What the page knows about the session. */
export type Session = Schema<"Session">;
/** A right of the operator. */
export type Permission = Session["permissions"][number];

/** The complete session of the operator. Absent outside of the pages that need a session. */
export const SessionContext = createContext<Session | undefined>(undefined);

/** Removes the hidden views that would appear again if the same operator signed in. */
export const ForgetViewsContext = createContext<() => void>(() => undefined);

/** Returns the session. Throws outside of the pages that need a session. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("There is no session here.");
  return session;
}

/** Returns a function that returns whether the operator has a right. */
export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useSession();
  return (permission) => permissions.includes(permission);
}
