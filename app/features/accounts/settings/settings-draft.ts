/**
 * Keeps unsaved settings in this browser. A draft survives a closed tab, belongs to one account and
 * is removed at logout. A chosen photo can't be kept.
 */
import { type RefObject, useEffect, useState } from 'react'
import { type DraftKind, findDraft, removeDraft, storeDraft } from '~/outbox/drafts'
import type { SessionUser } from '../session/session-user.server'

const draftFields = ['firstName', 'lastName', 'phone', 'location', 'timezone'] as const

/** The changed values by the name of their field. */
type Draft = Record<string, string>

const settingsDraftKind: DraftKind<Draft> = { name: 'settings-draft' }

/** There is one key, because a browser keeps one draft. */
const draftKey = 'settings'

/**
 * Stores and restores the draft of the settings form.
 *
 * @param shouldKeepDraft whether unsaved changes are stored
 * @returns `isRestored` is true once the draft of an earlier visit has been filled in
 */
export function useSettingsDraft(
  learner: SessionUser,
  form: RefObject<HTMLFormElement | null>,
  shouldKeepDraft: boolean,
) {
  const { uid } = learner
  const [isRestored, setIsRestored] = useState(false)

  useEffect(() => {
    if (!shouldKeepDraft) {
      return
    }

    let isUnmounted = false
    void readDraft(uid).then((draft) => {
      if (!isUnmounted && draft && form.current) {
        fillIn(form.current, draft)
        setIsRestored(true)
      }
    })

    return () => {
      isUnmounted = true
    }
  }, [uid, form, shouldKeepDraft])

  return {
    isRestored,
    store: (element: HTMLFormElement) => {
      if (shouldKeepDraft) {
        writeDraft(uid, getChangedFields(new FormData(element), learner))
      }
    },
    remove: () => {
      void removeSettingsDraft()
      setIsRestored(false)
    },
  }
}

function fillIn(form: HTMLFormElement, draft: Draft): void {
  for (const [name, value] of Object.entries(draft)) {
    const field = form.elements.namedItem(name)
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
      field.value = value
    }
  }
}

/** Returns the fields of the form that differ from the saved ones. */
export function getChangedFields(
  form: Iterable<[string, unknown]>,
  savedFields: Pick<SessionUser, (typeof draftFields)[number]>,
): Draft {
  const submittedValues = Object.fromEntries(form)
  const draft: Draft = {}

  for (const name of draftFields) {
    const value = submittedValues[name]
    const savedValue = savedFields[name] ?? ''
    if (typeof value === 'string' && value !== savedValue) {
      draft[name] = value
    }
  }

  return draft
}

export function readDraft(uid: string): Promise<Draft | null> {
  return findDraft(settingsDraftKind, draftKey, uid)
}

export function writeDraft(uid: string, draft: Draft): void {
  if (Object.keys(draft).length === 0) {
    void removeSettingsDraft()
  } else {
    storeDraft(settingsDraftKind, draftKey, uid, draft)
  }
}

/** Removes the draft after a logout, or when the learner discards the changes. */
export function removeSettingsDraft(): Promise<void> {
  return removeDraft(draftKey)
}
