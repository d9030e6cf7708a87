export type RunningDatabase = { url: string; stop(): Promise<void> }
export async function startEmbeddedPostgres(_options: {
  folder: string
  log?(message: string): void
}): Promise<RunningDatabase> {
  throw new Error('replaced by the pg branch')
}
