import { openDB } from 'idb'
import type { Entry } from './entry-store'

/**
 * Moves unsent data of version 0.1.0 into the outbox. Each feature of that version had its own
 * store in the browser. Its tabs may still be open, so every page checks again. Enrollments are
 * moved by their own feature.
 *
 * @param put rejects an entry that the outbox can't store; the remaining data then stays in its old
 * store.
 */
export async function takeOverFormerStores(put: (entry: Entry) => Promise<void>): Promise<void> {
  const move = (entry: Unstamped) => put({ ...entry, putAt: Date.now(), version: Math.random() })
  try {
    for (const key of Object.keys(localStorage)) {
      const entry = entryOf(key)
      if (!entry) {
        continue
      }

      await move(entry)
      localStorage.removeItem(key)
    }

    if (localStorage.getItem(reportsFlag) !== null) {
      await moveReports(move)
    }
  } catch {
    // Storage is full, forbidden or holds unknown data. Leaving it there loses nothing.
  }
}

type Unstamped = Omit<Entry, 'putAt' | 'version'>

/** An entry of `localStorage`; null for everything that is not waiting. */
function entryOf(storageKey: string): Unstamped | null {
  const read = () => JSON.parse(localStorage.getItem(storageKey) ?? 'null')
  const [, attemptId, question] = /^learnify-exam-(.+)-(\d+)$/.exec(storageKey) ?? []
  if (attemptId !== undefined) {
    // The entry doesn't say whose answers they are; the page of the exam knows.
    const body = { attemptId, question: Number(question), ...read() }
    return { key: `exam ${attemptId} ${question}`, kind: 'exam-answer', uid: null, body }
  }

  const [, noteUid, lesson] = /^note-draft (\S+) (.+)$/.exec(storageKey) ?? []
  if (noteUid !== undefined) {
    return { key: `note ${noteUid} ${lesson}`, kind: 'note-draft', uid: noteUid, body: read() }
  }

  if (storageKey === 'settings-draft') {
    const { uid, draft } = read()
    return { key: 'settings', kind: 'settings-draft', uid, body: draft }
  }

  return null
}

const reportsFlag = 'reports-kept'

type FormerReport = { key: string; uid: string; address: string; report: unknown }

/** Progress reports and practice answers had a database. */
async function moveReports(move: (entry: Unstamped) => Promise<void>): Promise<void> {
  const former = await openDB('learnify-reports', 1, {
    upgrade: (database) => void database.createObjectStore('reports', { keyPath: 'key' }),
  })
  const reports: FormerReport[] = await former.getAll('reports')
  for (const { key, uid, address, report } of reports) {
    const practice = address === '/PracticeAnswers'
    await move({
      key,
      uid,
      kind: practice ? 'practice-answer' : 'progress',
      body: practice ? report : { address, report },
    })

    await former.delete('reports', key)
  }

  former.close()
  localStorage.removeItem(reportsFlag)
}
