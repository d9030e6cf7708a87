import { type RefObject, useEffect, useState } from 'react'
import { type DraftKind, findDraft, removeDraft, storeDraft } from '~/outbox/drafts'
import type { SessionUser } from '../account-queries.server'

const fields = ['firstName', 'lastName', 'phone', 'location', 'timezone'] as const

type Draft = Record<string, string>

const settingsDrafts: DraftKind<Draft> = { name: 'settings-draft' }
/** A browser stores one draft. */
const draftKey = 'settings'

/** The fields that differ from the record; empty for a form without changes. */
export function draftOf(
  form: Iterable<[string, unknown]>,
  saved: Pick<SessionUser, (typeof fields)[number]>,
): Draft {
  const typed = Object.fromEntries(form)
  return Object.fromEntries(
    fields.flatMap((name) => {
      const value = typed[name]
      return typeof value === 'string' && value !== (saved[name] ?? '') ? [[name, value]] : []
    }),
  )
}

/**
 * Unsaved settings. They survive a closed tab, belong to one account, and are removed at logout. A
 * photo cannot be stored.
 *
 * @param stores false for a shared account.
 * @returns `restored` once the draft of an earlier visit was filled in.
 */
export function useSettingsDraft(
  learner: SessionUser,
  form: RefObject<HTMLFormElement | null>,
  stores: boolean,
) {
  const { uid } = learner
  const [restored, setRestored] = useState(false)
  useEffect(() => {
    if (!stores) {
      return
    }

    let left = false
    void readDraft(uid).then((draft) => {
      if (left || !draft || !form.current) {
        return
      }

      for (const [name, value] of Object.entries(draft)) {
        const field = form.current.elements.namedItem(name)
        if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
          field.value = value
        }
      }

      setRestored(true)
    })

    return () => {
      left = true
    }
  }, [uid, form, stores])

  return {
    restored,
    store: (element: HTMLFormElement) => {
      if (stores) {
        writeDraft(uid, draftOf(new FormData(element), learner))
      }
    },
    forget: () => {
      void forgetSettingsDraft()
      setRestored(false)
    },
  }
}

export function readDraft(uid: string): Promise<Draft | null> {
  return findDraft(settingsDrafts, draftKey, uid)
}

export function writeDraft(uid: string, draft: Draft): void {
  if (Object.keys(draft).length === 0) {
    void forgetSettingsDraft()
  } else {
    storeDraft(settingsDrafts, draftKey, uid, draft)
  }
}

/** Used after an account was signed out, and when changes are discarded. */
export function forgetSettingsDraft(): Promise<void> {
  return removeDraft(draftKey)
}
