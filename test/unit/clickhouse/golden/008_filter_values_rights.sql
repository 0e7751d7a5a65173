ALTER TABLE filter_values_httpget ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

ALTER TABLE filter_values_httppost ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

ALTER TABLE filter_values_dns ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

ALTER TABLE filter_values_netflix ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

ALTER TABLE filter_values_ping ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

ALTER TABLE filter_values_jitter ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

ALTER TABLE filter_values_latency ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

ALTER TABLE filter_values_webget ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

ALTER TABLE filter_values_youtube ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

ALTER TABLE filter_values_network_usage ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

ALTER TABLE filter_values_traceroute ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

ALTER TABLE filter_values_mobile_download ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

ALTER TABLE filter_values_mobile_latency ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

ALTER TABLE filter_values_mobile_upload ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

ALTER TABLE filter_values_mobile_www ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;

ALTER TABLE filter_values_mobile_youtube ON CLUSTER panel MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
