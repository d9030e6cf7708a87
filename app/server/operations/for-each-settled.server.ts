/**
 * Does the work for each item, one after the other. A failure does not stop the rest.
 *
 * @throws the first error, at the end.
 */
export async function forEachSettled<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = []
  for (const item of items) {
    await work(item).catch((error) => errors.push(error))
  }

  if (errors.length > 0) {
    throw errors[0]
  }
}
