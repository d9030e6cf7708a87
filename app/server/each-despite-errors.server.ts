/**
 * Does the same for each, one after the other: what fails with one keeps no other waiting.
 *
 * @throws the first error, at the end.
 */
export async function eachDespiteErrors<Each>(
  all: readonly Each[],
  work: (each: Each) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = []
  for (const each of all) await work(each).catch((error) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}
