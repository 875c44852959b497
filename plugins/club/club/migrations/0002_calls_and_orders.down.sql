DROP TABLE notes, forgettings, calls;
