import { SaveForm, type SaveFormProps } from '~/ui/form/save-form'
import { choiceTexts } from './announcement-messages'

type AnnouncementChoiceProps = SaveFormProps & {
  wantsAnnouncements: boolean
  /** Whether the learner has confirmed their email address. */
  isConfirmed: boolean
}

/** Lets learners turn announcements on or off, in their settings. */
export function AnnouncementChoice({
  wantsAnnouncements,
  isConfirmed,
  ...form
}: AnnouncementChoiceProps) {
  return (
    <SaveForm
      action="/Profile/settings?form=announcements#email"
      button="Save announcements"
      savedText={wantsAnnouncements ? choiceTexts.on : choiceTexts.off}
      className="grid gap-4"
      {...form}
    >
      <label className="flex min-h-11 items-center gap-3">
        <input
          key={String(wantsAnnouncements)}
          type="checkbox"
          name="announcements"
          defaultChecked={wantsAnnouncements}
          aria-describedby="announcements-hint"
          className="size-5 shrink-0 accent-accent"
        />
        {choiceTexts.label}
      </label>
      <p id="announcements-hint" className="text-muted text-sm">
        {isConfirmed ? choiceTexts.hint : choiceTexts.needsAddress}
      </p>
    </SaveForm>
  )
}
