"""What a caller of the journal may meet besides an answer."""


class JournalError(Exception):
    """The engine gave a definite answer that is none of the journal's own: wrong rights, wrong version."""


class JournalUnavailable(JournalError):
    """No definite answer came in time. The append may have happened: only the same keys tell, later."""


class JournalDamaged(JournalError):
    """What is stored contradicts itself: a sequence number is missing or an entry cannot be read."""
