import { useEffect, useRef, useState } from 'react'
import { Avatar } from '~/ui/avatar'
import { Button } from '~/ui/button'
import { photoRules } from '../account-rules'
import { settingsMessages } from './settings-messages'

type PhotoFieldProps = {
  /** The URL of the current photo. */
  photoUrl: string | null
  /** The learner's name, for the picture that stands in for a photo. */
  name: string
  error?: string
}

/** Shows the current or the chosen photo, and lets the learner choose or remove one. */
export function PhotoField({ photoUrl, name, error }: PhotoFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [chosenPhotoUrl, setChosenPhotoUrl] = useState<string | null>(null)
  const [isRemoving, setIsRemoving] = useState(false)
  const currentPhotoUrl = isRemoving ? null : photoUrl

  useEffect(() => {
    if (chosenPhotoUrl) {
      return () => URL.revokeObjectURL(chosenPhotoUrl)
    }
  }, [chosenPhotoUrl])

  function showChosenPhoto() {
    const file = input.current?.files?.[0]
    setChosenPhotoUrl(file && isPhotoType(file.type) ? URL.createObjectURL(file) : null)
    setIsRemoving(false)
  }

  function keepCurrentPhoto() {
    if (input.current) {
      input.current.value = ''
    }

    showChosenPhoto()
  }

  return (
    <fieldset className="flex flex-wrap items-center gap-5">
      <legend className="sr-only">Photo</legend>
      <Avatar src={chosenPhotoUrl ?? currentPhotoUrl} name={name} size={96} />
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
          onChange={showChosenPhoto}
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
        {chosenPhotoUrl && (
          <Button variant="quiet" onClick={keepCurrentPhoto} className="mt-1 -ml-5">
            Keep current photo
          </Button>
        )}
        {photoUrl && !chosenPhotoUrl && (
          <label className="mt-2 inline-flex min-h-11 items-center gap-3 font-medium">
            <input
              type="checkbox"
              name="removePhoto"
              checked={isRemoving}
              onChange={(event) => setIsRemoving(event.target.checked)}
              className="size-5 accent-accent"
            />
            Remove photo
          </label>
        )}
      </div>
    </fieldset>
  )
}

/** Returns a message if the server would refuse the file because of its size or type. */
export function findPhotoProblem({ size, type }: { size: number; type: string }): string | null {
  if (size > photoRules.maxBytes) {
    return settingsMessages.photoMessages.tooLarge
  }

  return isPhotoType(type) ? null : settingsMessages.photoMessages.wrongKind
}

function isPhotoType(type: string): boolean {
  return photoRules.types.some((photoType) => photoType === type)
}
