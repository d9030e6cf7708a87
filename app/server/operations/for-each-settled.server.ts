/**
 * Calls a function for each item, one after the other. A failure does not prevent the other calls.
 *
 * @throws the first error, after all calls
 */
export async function forEachSettled<Item>(
  items: readonly Item[],
  callback: (item: Item) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = []
  for (const item of items) {
    await callback(item).catch((error) => errors.push(error))
  }

  if (errors.length > 0) {
    throw errors[0]
  }
}
