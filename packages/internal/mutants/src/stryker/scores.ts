import { dirname } from "node:path";
import { z } from "zod";

/**
 * The fields that are read from Stryker's report.
 *
 * @see https://github.com/stryker-mutator/mutation-testing-elements for its schema.
 */
export const mutationReport = z.object({
  files: z.record(z.string(), z.object({ mutants: z.array(z.object({ status: z.string() })) })),
});

/** The results of the mutants of one folder. */
export interface FolderScore {
  readonly folder: string;
  readonly killed: number;
  readonly timeout: number;
  readonly survived: number;
  readonly noCoverage: number;
  /** Percent of the mutants that a test killed, by a failure or a timeout. */
  readonly score: number;
}

/** Returns the scores of the folders in a report, by name. Omits folders without mutants. */
export function folderScores({ files }: z.output<typeof mutationReport>): readonly FolderScore[] {
  const byFolder = new Map<string, string[]>();
  for (const [file, { mutants }] of Object.entries(files)) {
    const folder = dirname(file);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), ...mutants.map(({ status }) => status)]);
  }
  return [...byFolder]
    .map(([folder, statuses]) => {
      const count = (wanted: string) => statuses.filter((status) => status === wanted).length;
      const [killed, timeout] = [count("Killed"), count("Timeout")];
      const [survived, noCoverage] = [count("Survived"), count("NoCoverage")];
      const noticed = killed + timeout;
      const score = (100 * noticed) / (noticed + survived + noCoverage);
      return { folder, killed, timeout, survived, noCoverage, score };
    })
    .filter(({ score }) => !Number.isNaN(score))
    .sort((left, right) => (left.folder < right.folder ? -1 : 1));
}
