import type { Ports } from "@tillkit/core";
import type { Language } from "@tillkit/core/errors";
import type { SignInOrigin } from "@tillkit/core/operators";
import type { Err, Ok } from "neverthrow";
import type { Access, Identified } from "../access/access.js";
import type { ApiFailure } from "./api-failure.js";
import type { OpenStreams } from "./open-streams.js";
import type { ReadFigures } from "./today/read-figures.js";

/** What a route gets in addition to its input. */
export interface RouteContext {
  readonly ports: Ports;
  readonly access: Access;
  /** The event streams of each operator. */
  readonly streams: OpenStreams;
  /** The long exports of each operator. */
  readonly exports: OpenStreams;
  readonly readFigures: ReadFigures;
  /** The operator who sent the request. Absent for requests without a session. */
  readonly identified: Identified | undefined;
  /** The language of the texts in the answer. */
  readonly language: Language;
  /** Records that the sender asked for something of an app that the sender does not see. */
  readonly recordHidden: (appId: string) => Promise<void>;
  /** Where the request comes from, and which change it makes: for audit entries and limits. */
  readonly origin: SignInOrigin;
}

/** The value of a route, or the failure of one of its steps. */
export type RouteOutcome<T> = Ok<T, unknown> | Err<unknown, ApiFailure>;
