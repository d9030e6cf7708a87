import { type RefObject, useContext, useEffect, useState } from 'react'
import { type DraftKind, findDraft, removeDraft, storeDraft } from '~/outbox/drafts'
import { PageLearnerContext } from '../lessons/lesson-form'

type Draft = { id: string; text: string }

const noteDrafts: DraftKind<Draft> = { name: 'note-draft' }

/**
 * Stores the text of a new note in this browser until the note is saved, even while the page is
 * closed. Only the same learner gets the draft back. The draft has the id that its note will have,
 * so a second attempt after a lost response saves the same note.
 *
 * @param lessonKey the id of the course and the id of the lesson
 * @param field the field of the draft, which may contain text that was typed before hydration
 */
export function useNoteDraft(lessonKey: string, field: RefObject<HTMLTextAreaElement | null>) {
  const uid = useContext(PageLearnerContext)
  const [draft, setDraft] = useState<Draft>({ id: '', text: '' })

  useEffect(() => {
    let isUnmounted = false
    const id = crypto.randomUUID()
    setDraft({ id, text: field.current?.value ?? '' })

    void findDraft(noteDrafts, getDraftKey(uid, lessonKey), uid).then((storedDraft) => {
      // Text that was typed while the draft was loaded is appended to the draft.
      const text = [storedDraft?.text, field.current?.value].filter(Boolean).join('\n')
      if (isUnmounted || text === '') {
        return
      }

      const restoredDraft = { id: storedDraft?.id || id, text }
      setDraft(restoredDraft)
      saveDraft(uid, lessonKey, restoredDraft)
    })

    return () => {
      isUnmounted = true
    }
  }, [uid, lessonKey, field])

  const changeDraft = (changedDraft: Draft) => {
    setDraft(changedDraft)
    saveDraft(uid, lessonKey, changedDraft)
  }

  return {
    ...draft,

    write(text: string) {
      changeDraft({ id: draft.id || crypto.randomUUID(), text })
    },

    /**
     * Starts the next draft after the draft was saved as a note. The next draft has the text that
     * was typed in the meantime.
     */
    startNext(savedText: string) {
      const text = draft.text.trimStart()
      const newText = text.startsWith(savedText) ? text.slice(savedText.length).trim() : text
      changeDraft({ id: crypto.randomUUID(), text: newText })
    },
  }
}

function getDraftKey(uid: string, lessonKey: string): string {
  return `note ${uid} ${lessonKey}`
}

/** Stores a draft in this browser, or removes it if it is empty. */
function saveDraft(uid: string, lessonKey: string, draft: Draft): void {
  const key = getDraftKey(uid, lessonKey)
  if (draft.text === '') {
    void removeDraft(key)
  } else {
    storeDraft(noteDrafts, key, uid, draft)
  }
}
