import { type RefObject, useContext, useEffect, useState } from 'react'
import { type DraftKind, findDraft, removeDraft, storeDraft } from '~/outbox/drafts'
import { PageLearner } from './lesson-form'

type Draft = { id: string; text: string }

const noteDrafts: DraftKind<Draft> = { name: 'note-draft' }

/**
 * What is written of a note and not saved yet: it survives a closed tab, and is nobody else's. It has the id of the note
 * that it becomes, so that it is one note also when its answer was not heard.
 *
 * @param former what the lesson was called before its id changed, with a blank between.
 * @param field where somebody may have typed before the page had its script.
 */
export function useNoteDraft(lesson: string, former: string, field: RefObject<HTMLTextAreaElement | null>) {
  const uid = useContext(PageLearner)
  const [draft, setDraft] = useState<Draft>({ id: '', text: '' })
  useEffect(() => {
    let left = false
    const id = crypto.randomUUID()
    setDraft({ id, text: field.current?.value ?? '' })
    void takeDraft(uid, lesson, former).then((stored) => {
      // What is typed meanwhile comes after it.
      const text = [stored?.text, field.current?.value].filter(Boolean).join('\n')
      if (left || text === '') return
      const begun = { id: stored?.id || id, text }
      setDraft(begun)
      write(uid, lesson, begun)
    })
    return () => {
      left = true
    }
  }, [uid, lesson, former, field])
  const change = (next: Draft) => {
    setDraft(next)
    write(uid, lesson, next)
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

const keyOf = (uid: string, lesson: string) => `note ${uid} ${lesson}`

/** A draft under one of the lesson's former names moves to its present one. */
async function takeDraft(uid: string, lesson: string, former: string): Promise<Draft | null> {
  for (const name of [lesson, ...former.split(' ').filter(Boolean)]) {
    const draft = await findDraft(noteDrafts, keyOf(uid, name), uid)
    if (draft && name !== lesson) await removeDraft(keyOf(uid, name))
    if (draft) return draft
  }
  return null
}

function write(uid: string, lesson: string, draft: Draft): void {
  if (draft.text === '') void removeDraft(keyOf(uid, lesson))
  else storeDraft(noteDrafts, keyOf(uid, lesson), uid, draft)
}
