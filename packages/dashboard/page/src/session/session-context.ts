import { createContext, useContext } from "react";
import type { Schema } from "../api/routes.js";

/** What the page knows about the session. */
export type Session = Schema<"Session">;
/** A right of the operator. */
export type Permission = Session["permissions"][number];

/** The complete session of the operator. Absent outside of the pages that need one. */
export const SessionContext = createContext<Session | undefined>(undefined);

/** Forgets the views that wait hidden for their operator to sign in again. */
export const ForgetViewsContext = createContext<() => void>(() => undefined);

/** Returns the session. Throws outside of the pages that need one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("There is no session here.");
  return session;
}

/** Returns a function that tells whether the operator has a right. */
export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useSession();
  return (permission) => permissions.includes(permission);
}
