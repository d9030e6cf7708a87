import { useEffect, useRef, useState } from 'react'
import { Avatar } from '~/ui/avatar'
import { Button } from '~/ui/button'
import { photoRules } from '../account-rules'
import { photoMessages } from './settings-messages'

type SettingsPhotoFieldProps = {
  photoURL: string | null
  name: string
  error?: string
}

/** The current or chosen photo, with buttons to choose and to remove one. */
export function SettingsPhotoField({ photoURL, name, error }: SettingsPhotoFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [removing, setRemoving] = useState(false)
  useEffect(() => () => (chosen ? URL.revokeObjectURL(chosen) : undefined), [chosen])

  function choose() {
    const file = input.current?.files?.[0]
    setChosen(file && isPhotoType(file.type) ? URL.createObjectURL(file) : null)
    setRemoving(false)
  }

  function undo() {
    if (input.current) {
      input.current.value = ''
    }

    choose()
  }

  return (
    <fieldset className="flex flex-wrap items-center gap-5">
      <legend className="sr-only">Photo</legend>
      <Avatar src={chosen ?? (removing ? null : photoURL)} name={name} size={96} />
      <div className="min-w-0 flex-1 basis-56">
        <label htmlFor="settings-photo" className="mb-1.5 block font-medium">
          Profile photo
        </label>
        <input
          ref={input}
          id="settings-photo"
          type="file"
          name="photo"
          accept={photoRules.types.join(',')}
          onChange={choose}
          aria-invalid={error ? true : undefined}
          aria-describedby={
            error ? 'settings-photo-error settings-photo-hint' : 'settings-photo-hint'
          }
          className="block w-full max-w-full text-muted text-sm file:mr-4 file:min-h-11 file:cursor-pointer file:rounded-control file:border file:border-edge file:bg-surface file:px-5 file:font-semibold file:text-ink hover:file:border-ink"
        />
        {error && (
          <p id="settings-photo-error" className="mt-1.5 font-medium text-bad text-sm">
            {error}
          </p>
        )}
        <p id="settings-photo-hint" className="mt-1.5 text-muted text-sm">
          JPEG, PNG or WebP, up to 5 MB. We remove hidden details, such as where it was taken.
        </p>
        {chosen && (
          <Button variant="quiet" onClick={undo} className="mt-1 -ml-5">
            Keep current photo
          </Button>
        )}
        {photoURL && !chosen && (
          <label className="mt-2 inline-flex min-h-11 items-center gap-3 font-medium">
            <input
              type="checkbox"
              name="removePhoto"
              checked={removing}
              onChange={(event) => setRemoving(event.target.checked)}
              className="size-5 accent-accent"
            />
            Remove photo
          </label>
        )}
      </div>
    </fieldset>
  )
}

/** Checks a chosen file without reading it. @returns a message, or null if it may be sent. */
export function photoProblem({ size, type }: { size: number; type: string }): string | null {
  if (size > photoRules.maxBytes) {
    return photoMessages.tooLarge
  }

  return isPhotoType(type) ? null : photoMessages.wrongKind
}

const isPhotoType = (type: string) => photoRules.types.some((known) => known === type)
