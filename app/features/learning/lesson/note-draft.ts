import { useContext, useEffect, useState } from 'react'
import { PageLearner } from './lesson-form'

const prefix = 'note-draft'

/** What is written of a note and not saved yet: it survives a closed tab, and is nobody else's. */
export function useNoteDraft(lesson: string): [string, (text: string) => void] {
  const key = `${prefix} ${useContext(PageLearner)} ${lesson}`
  const [text, setText] = useState('')
  useEffect(() => setText(read(key)), [key])
  return [
    text,
    (next) => {
      setText(next)
      write(key, next)
    },
  ]
}

/** After an account was deleted. */
export function forgetNoteDrafts(uid: string): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(`${prefix} ${uid} `)) localStorage.removeItem(key)
    }
  } catch {}
}

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

/** Storage that is full or forbidden loses only what a closed tab would. */
function write(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {}
}
