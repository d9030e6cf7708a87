import { type RefObject, useContext, useEffect, useState } from 'react'
import { PageLearner } from './lesson-form'

const prefix = 'note-draft'

type Draft = { id: string; text: string }

/**
 * What is written of a note and not saved yet: it survives a closed tab, and is nobody else's. It has the id of the note
 * that it becomes, so that it is one note also when its answer was not heard.
 *
 * @param former what the lesson was called before its id changed, with a blank between.
 * @param field where somebody may have typed before the page had its script.
 */
export function useNoteDraft(lesson: string, former: string, field: RefObject<HTMLTextAreaElement | null>) {
  const begin = `${prefix} ${useContext(PageLearner)} `
  const key = begin + lesson
  const [draft, setDraft] = useState<Draft>({ id: '', text: '' })
  useEffect(() => {
    const formerKeys = former.split(' ').map((name) => begin + name)
    const kept = [key, ...formerKeys].map(read).find((draft) => draft !== null)
    const early = field.current?.value ?? ''
    const text = [kept?.text, early].filter(Boolean).join('\n')
    const begun = { id: kept?.id || crypto.randomUUID(), text }
    setDraft(begun)
    for (const formerKey of formerKeys) write(formerKey, { id: '', text: '' })
    write(key, begun)
  }, [key, begin, former, field])
  const change = (next: Draft) => {
    setDraft(next)
    write(key, next)
  }
  return {
    ...draft,
    write: (text: string) => change({ id: draft.id || crypto.randomUUID(), text }),
    /** It is a note now, with this text; what was written meanwhile is the next one. */
    next: (saved: string) => {
      const text = draft.text.trimStart()
      change({ id: crypto.randomUUID(), text: text.startsWith(saved) ? text.slice(saved.length).trim() : text })
    },
  }
}

/** For use after an account was deleted. */
export function forgetNoteDrafts(uid: string): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(`${prefix} ${uid} `)) localStorage.removeItem(key)
    }
  } catch {}
}

function read(key: string): Draft | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** If storage is full or forbidden, a draft is lost when its tab closes. */
function write(key: string, draft: Draft): void {
  try {
    if (draft.text === '') localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(draft))
  } catch {}
}
